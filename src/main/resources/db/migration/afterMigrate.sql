-- Run by Flyway after each migration. The service's role (src/main/kubernetes/roles.sql) may write every table of the owner, but for those that only
-- a migration writes. Several replicas may run this at the same time, hence the lock. Without that role nothing is to be revoked.
do $$
begin
    perform pg_advisory_xact_lock(7232404223157383541);
    if current_user <> 'animalstore' and exists (select from pg_roles where rolname = 'animalstore')
        and has_table_privilege('animalstore', 'plan', 'update') then
        revoke insert, update, delete on plan, flyway_schema_history from animalstore;
    end if;
end $$;
