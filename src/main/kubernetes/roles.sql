-- Run by a superuser in the service's database, once it exists: create database animalstore. Roles belong to the whole server, so they may exist
-- because of another database. The owner changes the schema; the service only reads and writes rows, and after each migration loses the
-- right to write those that only a migration may (db/migration/afterMigrate.sql).
-- Then set both passwords: \password animalstore_owner, \password animalstore
do $$
declare
    needed text;
begin
    foreach needed in array array['animalstore_owner', 'animalstore'] loop
        if not exists (select from pg_roles where rolname = needed) then
            execute format('create role %I login', needed);
        end if;
    end loop;
end $$;

grant usage, create on schema public to animalstore_owner;
grant usage on schema public to animalstore;
alter default privileges for role animalstore_owner in schema public
    grant select, insert, update, delete on tables to animalstore;
