set local role rostrum_owner;

-- What a draft says on the channel that it does not have now, so that turning it back loses nothing.
alter table broadcasts add column set_aside jsonb;
