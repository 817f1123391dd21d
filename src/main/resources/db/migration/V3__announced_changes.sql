-- Whether a replica has announced the change in Redis since. A replica that is cut off from Redis, or killed after the commit, cannot.
-- Earlier changes are announced once more, which changes nothing.
alter table key_change add column announced boolean not null default false;

-- Serves the search for those that are not, of which there are hardly any.
create index key_change_unannounced on key_change (id) where not announced;
