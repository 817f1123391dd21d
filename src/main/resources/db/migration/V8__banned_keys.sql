-- For the console's overview, which would otherwise read all usage of a day to find the keys that were banned.
create index usage_day_banned on usage_day (day, key_id) where banned > 0;
