-- What waits for a table keeps all later statements on it waiting. A migration that waits for longer fails, and is to be repeated.
set local lock_timeout = '2s';
