-- Records of a deleted workspace that were removed from files of the archive. null: these have not been looked through, as
-- no release before this one did.
ALTER TABLE workspace_deletions ADD COLUMN archived integer;
