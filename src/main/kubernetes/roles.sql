-- Run once by a superuser in the service's database. The owner changes the schema; the service only reads and writes rows.
-- Then set both passwords: \password animalstore_owner, \password animalstore
create role animalstore_owner login;
create role animalstore login;

grant usage, create on schema public to animalstore_owner;
grant usage on schema public to animalstore;
alter default privileges for role animalstore_owner in schema public
    grant select, insert, update, delete on tables to animalstore;
