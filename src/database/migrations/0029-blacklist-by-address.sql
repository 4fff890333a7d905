set local role rostrum_owner;

-- Whoever asks why an address gets nothing knows the address, not the person.
-- squawk-ignore require-concurrent-index-creation
create index email_blacklist_by_email on email_blacklist (org_id, email);
