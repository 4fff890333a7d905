set local role rostrum_owner;

-- The colors of links and buttons in an organization's emails; without them ours.
alter table email_layouts add column link_color text;
alter table email_layouts add column button_color text;
