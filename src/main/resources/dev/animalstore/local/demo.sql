-- The demonstration data of development: a catalogue, a key of each plan, whose text is documented, and forty customers with 60 days of usage.
-- Everything is computed from numbers, so it is the same on every machine. It runs at each start: what exists is kept, usage is continued up to
-- today, and dates such as an expiry in three days move along, except those of keys that an operator has changed. The last statement returns
-- what Redis is to know, on a line for each key: its number, its time of creation, and fields of its hash as quota.lua describes them.

set local animalstore.operator = 'demonstration';
set local search_path = public, metering;

insert into pet (name, category_id, status)
select (array['Bella', 'Luna', 'Charlie', 'Milo', 'Rocky', 'Coco', 'Daisy', 'Oscar', 'Molly', 'Simba', 'Nala', 'Toby', 'Ruby',
              'Felix', 'Bruno', 'Hazel', 'Pepper', 'Biscuit', 'Olive', 'Maple'])[1 + (n * 7) % 20]
       || ' the ' || (array['Beagle', 'Tabby', 'Canary', 'Goldfish', 'Hamster', 'Rabbit', 'Gecko', 'Parrot'])[1 + n % 8],
       1 + n % 8,
       (array['available', 'available', 'pending', 'sold'])[1 + (n * 5) % 4]
from generate_series(1, 300) n
where not exists (select from api_key);

insert into store_order (pet_id, quantity, ship_date, status, complete)
select n * 4, 1 + n % 3,
       case when n % 3 > 0 then timestamptz '2026-01-01 09:00:00Z' + n * interval '5 hours' end,
       (array['placed', 'approved', 'delivered'])[1 + n % 3],
       n % 3 = 2
from generate_series(1, 40) n
where not exists (select from api_key);

-- share: of the limit per day that the customer uses on a usual working day. since, ended: how many days ago the key was issued and revoked.
-- expires: in how many days. text: that of the key, if it is documented.
create temporary table customer (
    number integer generated always as identity, owner text, plan text, share numeric, habit text, since integer, expires integer,
    ended integer, text text, is_new boolean)
    on commit drop;

insert into customer (owner, plan, share, habit, since, text)
select 'Demonstration (' || plan || ')', plan, 0.4, 'documented', 90, text from (values
    ('free', 'ask_test_Demofree0000000000000000000000002SDbAQ'),
    ('pro', 'ask_test_Demopro00000000000000000000000001rMwe5'),
    ('business', 'ask_test_Demobusiness000000000000000000003g9PsT'),
    ('enterprise', 'ask_test_Demoenterprise0000000000000000003ufNC0')) documented (plan, text);

insert into customer (owner, plan, share, habit, since, expires, ended) values
    ('Continental Pet Foods',       'enterprise', 0.55, 'week',    398, null, null),
    ('Metropolitan Zoo',            'business',   0.48, 'weekend', 391, null, null),
    ('VetCare Group',               'business',   0.62, 'rotates', 377, null, null),
    ('Pawprint Rescue',             'free',       0.35, 'week',    365, null, null),
    ('Northgate Veterinary Clinic', 'pro',        0.60, 'monday',  352, null, null),
    ('Tidewater Aquarium',          'pro',        0.44, 'weekend', 341, null, null),
    ('Birdsong Diary',              'free',       0.12, 'week',    333, null, null),
    ('Creature Comforts Retail',    'business',   0.71, 'week',    320, null, null),
    ('United Shelters Alliance',    'enterprise', 0.38, 'week',    311, null, null),
    ('Little Ark Petting Farm',     'free',       0.52, 'weekend', 304, null, null),
    ('Furever Home',                'pro',        0.33, 'week',    290, null, null),
    ('Rural Vet Practice',          'free',       0.28, 'week',    283, null, null),
    ('National Kennel Register',    'business',   0.25, 'week',    270, null, null),
    ('Green Meadow Stables',        'pro',        0.18, 'week',    266, null, null),
    ('Turtle Tracker',              'free',       0.30, 'week',    251,   -5, null),
    ('Companion Insurance',         'pro',        0.57, 'week',    240, null, null),
    ('Gecko Garden',                'free',       0.41, 'week',    233, null,   12),
    ('Harbour Pet Supplies',        'business',   0.36, 'week',    220, null, null),
    ('Feathered Friends Club',      'free',       0.22, 'weekend', 214, null, null),
    ('Wild Acres Sanctuary',        'pro',        0.29, 'weekend', 200, null, null),
    ('Petwalk App',                 'pro',        0.55, 'grows',   188, null, null),
    ('Bark and Bite Podcast',       'free',       0.08, 'week',    181, null, null),
    ('VetConnect',                  'pro',        0.66, 'week',    170, null, null),
    ('Safari Park Tickets',         'business',   0.42, 'weekend', 162,    3, null),
    ('City Shelter Volunteers',     'free',       0.61, 'week',    155, null, null),
    ('Global Livestock Exchange',   'enterprise', 0.64, 'week',    149, null, null),
    ('Happy Tails Adoption',        'pro',        0.74, 'near',    140, null, null),
    ('Whisker Watch Blog',          'free',       0.17, 'weekend', 131, null, null),
    ('Aqua World Shop',             'pro',        0.39, 'week',    120, null, null),
    ('Paws and Claws Groomers',     'pro',        0.21, 'week',    111, null, null),
    ('Barn Owl Trust',              'pro',        0.14, 'week',    102, null, null),
    ('Equine Logistics',            'business',   0.50, 'week',     93, null, null),
    ('Hamster Hub',                 'free',       0.46, 'week',     84, null, null),
    ('Zoo Weekend Guide',           'pro',        0.47, 'weekend',  71, null, null),
    ('Kitten Cam',                  'free',       0.80, 'banned',   55, null, null),
    ('Pet Portrait Studio',         'pro',        0.26, 'week',     44, null, null),
    ('Hackathon Team Lynx',         'free',       0.58, 'week',     31,   11, null),
    ('Puppy Parade',                'free',       0.49, 'near',     20, null, null),
    ('Dog Park Finder',             'free',       0.33, 'weekend',  13, null, null),
    ('Maple Street School',         'free',       0.00, 'unused',    6, null, null);

update customer set is_new = not exists (select from api_key);

insert into api_key (owner, plan, per_minute, per_day, created_at)
select owner, plan, case when p.per_minute is null then 5000 end, case when p.per_day is null then 1000000 end,
       now() - since * interval '1 day' - number * interval '41 minutes'
from customer join plan p on p.name = plan
where is_new
order by number;

-- Those that no operator has changed, but for the two who are part of the demonstration.
create temporary table unchanged on commit drop as
select k.id, c.*
from customer c join api_key k using (owner, plan)
where not exists (select from key_change where key_id = k.id and operator not in ('alice', 'billing', 'demonstration'));

update api_key k
set expires_at = now() + expires * interval '1 day',
    revoked_at = now() - ended * interval '1 day',
    last_used_at = greatest(last_used_at, case habit
        when 'documented' then date_trunc('day', now(), 'UTC') - number * interval '97 seconds'
        when 'unused' then null
        else now() - greatest(ended, -expires, 0) * interval '1 day' - number * interval '97 seconds' end)
from unchanged c
where c.id = k.id;

-- No text has this hash, so this secret cannot be sent.
insert into api_key_secret (key_id, hash, hint, created_at, rotated_at)
select k.id, sha256(convert_to(coalesce(text, 'none ' || k.id || old), 'UTF8')),
       coalesce(left(right(text, 10), 4), left(translate(md5(owner || old), '01', 'Zk'), 4)),
       k.created_at, case when old then now() end
from customer join api_key k using (owner, plan) cross join (values (true), (false)) secret (old)
where (habit = 'rotates' or not old) and not exists (select from api_key_secret)
order by k.id, old desc;

-- The secret that was rotated two days ago works for five more days.
update api_key_secret s
set created_at = case when rotated_at is null then now() - interval '2 days' else s.created_at end,
    rotated_at = case when rotated_at is not null then now() - interval '2 days' end,
    expires_at = case when rotated_at is not null then now() + interval '5 days' end
from unchanged c
where s.key_id = c.id and habit = 'rotates';

-- Less at weekends, or more; Monday's rush; growth beyond the plan; and what the limit refuses, 60 requests before each ban, four times today.
-- Today has what a part of a day has.
insert into usage_day (key_id, day, plan, admitted, refused, banned)
select id, day, plan, least(per_day, wanted),
       case when habit = 'banned' then least(over, before_bans) else over / 3 end,
       case when habit = 'banned' then greatest(over - before_bans, 0) else 0 end
from (select *, greatest(wanted - per_day, 0) as over, case ago when 0 then 240 else 60 end as before_bans
      from (select k.id, habit, ago, day, plan, coalesce(k.per_day, p.per_day) as per_day,
                   cast(coalesce(k.per_day, p.per_day)
                        * case habit when 'grows' then 0.35 + 0.9 * (59 - ago) / 59
                                     when 'monday' then case weekday when 1 then 1.3 else share end
                                     when 'banned' then case ago when 0 then 1.4 when 7 then 1.2 else share end
                                     else share end
                        * case when habit in ('near', 'banned') and ago = 0 then 0.93 / share
                               when ago = 0 then extract(epoch from now() - day) / 86400
                               else 0.85 + (ago * 37 + number * 53) % 11 * 0.03 end
                        * case when habit = 'weekend' and weekday > 5 then 1.5
                               when weekday > 5 and ago > 0 then 0.4 else 1 end as bigint) as wanted
            from customer join api_key k using (owner, plan) join plan p on p.name = plan
                 cross join generate_series(case habit when 'documented' then 1 else 0 end, 59) ago
                 cross join lateral (select date_trunc('day', now(), 'UTC') - ago * interval '1 day' as at) a
                 cross join lateral (
                     select cast(at at time zone 'UTC' as date) as day, extract(isodow from at at time zone 'UTC') as weekday) d
            where share > 0 and at > k.created_at and at < least(k.revoked_at, k.expires_at, now())) w) o
on conflict do nothing;

-- What two operators did with the keys, in place of what was recorded above.
delete from key_change c
using unchanged k
where c.key_id = k.id or c.operator = 'demonstration';

insert into key_change (changed, key_id, at, operator, action)
select cast(cast(row_number() over (order by at) as text) as xid8), c.id, at, case when action = 'issueKey' and number % 3 > 0 then 'billing' else 'alice' end, action
from unchanged c join api_key k on k.id = c.id cross join lateral (values
    (k.created_at, 'issueKey'),
    (case when habit = 'grows' then now() - interval '70 days' end, 'changeKey'),
    (case when habit = 'rotates' then now() - interval '2 days' end, 'rotateKey'),
    (case when habit = 'banned' then now() - interval '7 days 3 hours' end, 'liftBan'),
    (k.revoked_at, 'revokeKey')) change (at, action)
where at is not null
order by at;

-- Today's counts; and if the data is new, a ban, the fourth in a row, which began three minutes ago.
select coalesce(string_agg(concat_ws(' ',
           k.id, cast(extract(epoch from k.created_at) * 1000000 as bigint), 'v', version, 'dc', admitted, 'dr', refused, 'db', banned,
           'de', cast(extract(epoch from date_trunc('day', now(), 'UTC') + interval '1 day') * 1000 as bigint),
           case when habit = 'banned' and is_new then
               'bl 4 be ' || cast(extract(epoch from now() + interval '37 minutes') * 1000 as bigint)
               || ' bf ' || cast(extract(epoch from now() + interval '23 hours 57 minutes') * 1000 as bigint) end), e'\n'), '')
from customer join api_key k using (owner, plan) join usage_day u on u.key_id = k.id and u.day = cast(now() at time zone 'UTC' as date)
where habit <> 'documented' and revoked_at is null;
