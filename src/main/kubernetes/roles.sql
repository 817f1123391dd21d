-- Run in the service's database, once it exists (create database animalstore), by a superuser, or by the administrator of a managed server, who has
-- createrole and owns the database. Then set both passwords:
-- \password animalstore_owner, \password animalstore. Run it again after the first migration: it then takes from the service the right to write
-- what only a migration may. Roles belong to the whole server, so they may exist because of another database.
-- The owner changes the schema; the service only reads and writes rows.
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

-- An administrator who is no superuser may set what the owner's tables grant, and revoke it below, only as a member.
grant animalstore_owner to current_user;
-- The catalogue is in the schema public, what concerns keys in metering.
create schema if not exists metering;
grant usage, create on schema public, metering to animalstore_owner;
grant usage on schema public, metering to animalstore;
alter default privileges for role animalstore_owner in schema public, metering
    grant select, insert, update, delete on tables to animalstore;

-- The same as each connection of the service sets (application.properties). Behind a pooler that lends a connection for one transaction, settings of
-- a connection do not follow the service, but those of its role hold.
alter role animalstore set statement_timeout = '750ms';
alter role animalstore set idle_in_transaction_session_timeout = '3s';
alter role animalstore set default_transaction_isolation = 'read committed';
alter role animalstore set plan_cache_mode = 'force_generic_plan';
alter role animalstore set jit = off;

do $$
begin
    if to_regclass('metering.plan') is not null then
        -- A restored table may lack what the default privileges grant.
        grant select, insert, update, delete on all tables in schema public, metering to animalstore;
        revoke insert, update, delete on metering.plan, metering.flyway_schema_history, public.flyway_schema_history from animalstore;
        -- Only triggers write it; the service removes what is old.
        revoke insert, update on metering.key_change from animalstore;
    end if;
end $$;
