-- Whether the change has been announced in Redis late. A replica that is cut off from Redis, or killed after the commit, cannot announce it.
-- Changes from before, and those of replicas of the previous version, need not be.
alter table key_change add column announced boolean not null default true;

-- Serves the search for those that are not, of which there are hardly any.
create index key_change_unannounced on key_change (id) where not announced;
