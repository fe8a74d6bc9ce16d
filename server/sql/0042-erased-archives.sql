-- Records of a caller that an erasure has removed from files of the archive.
ALTER TABLE erasures ADD COLUMN archived integer NOT NULL DEFAULT 0;
