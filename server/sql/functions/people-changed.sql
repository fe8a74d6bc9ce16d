-- Whatever changes what somebody may do is told to every process, which ends the streams that they may not have any more.
CREATE OR REPLACE FUNCTION tell_people_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('people', '');
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER user_workspaces_changed AFTER INSERT OR UPDATE OR DELETE ON user_workspaces
  FOR EACH STATEMENT EXECUTE FUNCTION tell_people_changed();
CREATE OR REPLACE TRIGGER users_changed AFTER UPDATE OF role OR DELETE ON users
  FOR EACH STATEMENT EXECUTE FUNCTION tell_people_changed();
CREATE OR REPLACE TRIGGER sessions_ended AFTER DELETE ON sessions
  FOR EACH STATEMENT EXECUTE FUNCTION tell_people_changed();
CREATE OR REPLACE TRIGGER workspaces_closed AFTER UPDATE OF closed_at ON workspaces
  FOR EACH STATEMENT EXECUTE FUNCTION tell_people_changed();
