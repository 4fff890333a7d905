set local role rostrum_owner;

-- Whether a receiving domain refuses one message or many is asked for each refusal that is reported: of the last hour.
-- squawk-ignore require-concurrent-index-creation
create index deliveries_refused_by_policy on deliveries (org_id, bounced_at) where bounce_class = 'policy';
