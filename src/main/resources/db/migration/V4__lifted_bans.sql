-- Whether the ban of the key was lifted by one of its versions that may not be known in Redis yet.
alter table unraised_version add column ban_lifted boolean not null default false;
