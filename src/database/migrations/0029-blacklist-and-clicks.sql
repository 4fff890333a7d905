-- squawk-ignore-file require-concurrent-index-creation
set local role rostrum_owner;

-- How often people followed a link, and out of how many messages. Kept by whoever judges hits: to read them for a
-- broadcast would mean reading the hits of everybody who clicked.
alter table broadcast_links
  add column clicks bigint not null default 0,
  add column clicked bigint not null default 0;
grant update (clicks, clicked) on broadcast_links to rostrum_app;

-- What came in before is counted once.
alter table broadcast_links no force row level security;
alter table tracking_hits no force row level security;
alter table deliveries no force row level security;
update broadcast_links l set clicks = s.clicks, clicked = s.clicked
from (
  select h.org_id, d.broadcast_id, h.link, count(*) as clicks, count(distinct h.delivery_id) as clicked
  from tracking_hits h join deliveries d on d.org_id = h.org_id and d.id = h.delivery_id
  where h.kind = 'click' and h.verdict = 'human'
  group by h.org_id, d.broadcast_id, h.link) s
where l.org_id = s.org_id and l.broadcast_id = s.broadcast_id and l.link = s.link;
alter table broadcast_links force row level security;
alter table tracking_hits force row level security;
alter table deliveries force row level security;

-- Who opened or clicked: few of many, and a page of them must not read the others.
create index deliveries_opened on deliveries (org_id, broadcast_id, state, due_at, id) where opened_at is not null;
create index deliveries_clicked on deliveries (org_id, broadcast_id, state, due_at, id) where clicked_at is not null;
