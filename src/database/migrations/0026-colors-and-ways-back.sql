set local role rostrum_owner;

-- The colors of links and buttons in an organization's emails; without them ours.
alter table email_layouts add column link_color text;
alter table email_layouts add column button_color text;

-- Which message's recipient opted out by that message's own link or address: only there is the way back. Nothing, when
-- anybody else said it, before or after: then it is theirs to lift.
alter table opt_outs add column email_out_by bigint;
alter table opt_outs add column sms_out_by bigint;
