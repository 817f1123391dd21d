-- Some hundred pets, some orders, and one key per plan with 30 days of usage, for a database that is used for development. The texts of the keys,
-- which belong to the environment "test", are those of dev.animalstore.local.DemoData.
insert into pet (name, category_id, status)
select (array['Bella', 'Luna', 'Charlie', 'Milo', 'Rocky', 'Coco', 'Daisy', 'Oscar', 'Molly', 'Simba', 'Nala', 'Toby', 'Ruby',
              'Felix', 'Bruno', 'Hazel', 'Pepper', 'Biscuit', 'Olive', 'Maple'])[1 + (n * 7) % 20]
       || ' the ' || (array['Beagle', 'Tabby', 'Canary', 'Goldfish', 'Hamster', 'Rabbit', 'Gecko', 'Parrot'])[1 + n % 8],
       1 + n % 8,
       (array['available', 'available', 'pending', 'sold'])[1 + (n * 5) % 4]
from generate_series(1, 300) n;

insert into store_order (pet_id, quantity, ship_date, status, complete)
select n * 4, 1 + n % 3,
       case when n % 3 > 0 then timestamptz '2026-01-01 09:00:00Z' + n * interval '5 hours' end,
       (array['placed', 'approved', 'delivered'])[1 + n % 3],
       n % 3 = 2
from generate_series(1, 40) n;

insert into api_key (owner, plan, per_minute, per_day)
select 'demo', name, case when per_minute is null then 5000 end, case when per_day is null then 1000000 end
from plan order by array_position(array['free', 'pro', 'business', 'enterprise'], name);

insert into api_key_secret (key_id, hash, hint)
select id, sha256(convert_to(text, 'UTF8')), left(right(text, 10), 4)
from api_key join (values %s) secret (plan, text) using (plan)
where owner = 'demo';

-- The 30 days before today for each key: more on weekdays, growing, and some days over the quota.
insert into usage_day (key_id, day, admitted, refused, banned)
select id, day, least(per_day, wanted), least(greatest(wanted - per_day, 0), per_day / 5),
       greatest(wanted - per_day - per_day / 5, 0)
from (select k.id, coalesce(k.per_day, p.per_day) as per_day, day,
             cast(coalesce(k.per_day, p.per_day) * (0.3 + n * 0.02 + (n * 37 % 11) * 0.04)
                  * case when extract(isodow from day) < 6 then 1 else 0.4 end as bigint) as wanted
      from api_key k join plan p on p.name = k.plan cross join generate_series(1, 30) n
      cross join lateral (select cast(now() at time zone 'UTC' as date) - 31 + n as day) d
      where k.owner = 'demo') u;
