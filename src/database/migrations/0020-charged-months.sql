set local role rostrum_owner;

-- When a window was claimed by the clock of its organization: what of it did not go out goes back to the allowance of
-- that month, whatever month it is by then. Nothing for windows that were claimed before this was written down.
alter table delivery_windows add column charged_at timestamptz;
