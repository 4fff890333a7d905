/** Where SNS answers in the region of a topic: `arn:aws:sns:eu-west-1:…`. No other host may vouch for what it sends. */
function hostOf(topicArn: string): string {
  const [, partition, , region] = topicArn.split(':');
  return `sns.${region}.amazonaws.com${partition === 'aws-cn' ? '.cn' : ''}`;
}

/**
 * Whether this is the address of the certificate of a topic's messages. Matches all of it, so nothing can be inserted.
 */
export function isCertificateUrl(text: string, topicArn: string): boolean {
  const origin = `https://${hostOf(topicArn)}/`;
  return (
    text.startsWith(origin) && /^SimpleNotificationService-[0-9a-f]{32}\.pem$/.test(text.slice(origin.length))
  );
}

/** Whether calling this address says that we want what the topic sends, and nothing else. */
export function isConfirmUrl(text: string, topicArn: string): boolean {
  const url = text.startsWith(`https://${hostOf(topicArn)}/?`) ? URL.parse(text) : null;
  return (
    url?.searchParams.get('Action') === 'ConfirmSubscription' &&
    url.searchParams.get('TopicArn') === topicArn &&
    [...url.searchParams.keys()].toSorted().join() === 'Action,Token,TopicArn'
  );
}
