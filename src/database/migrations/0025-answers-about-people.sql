set local role rostrum_owner;

-- A stored answer may hold what is known of people. It goes with them; that the request was made stays for its time, so
-- that it is not done again.
alter table idempotent_answers add column about uuid[] not null default '{}';
-- squawk-ignore require-concurrent-index-creation
create index idempotent_answers_about on idempotent_answers using gin (about) where about <> '{}';
grant update (answer) on idempotent_answers to rostrum_app;
