import { expect, test } from 'vitest';
import { asksToStop } from '../../src/domain/delivery/inbound/stop-words.ts';
import { measured } from '../support/measured.ts';

const stops = [
  'STOP',
  'stop',
  ' Stop. ',
  'StOp!!',
  '"STOP"',
  'ＳＴＯＰ',
  'stop 🛑',
  'STOP STOP STOP',
  'STOPALL',
  'stop all',
  'UNSUBSCRIBE',
  'Cancel',
  'END',
  'end.',
  'quit',
  'Revoke',
  'OPT OUT',
  'optout',
  'Opt-out',
  'please stop texting me',
  'Pls stop',
  'can you please stop sending me these messages',
  'Stop it now',
  'no, stop',
  'I want to opt out',
  'opt me out please',
  'unsubscribe me from this list',
  'I revoke my consent',
  "why don't you stop",
  'I don’t know you, stop',
  'How do I stop these texts?',
  'cancel these texts please',
  'Please cancel',
  'quit texting me',
  'end this',
  'I really would like you to stop sending me texts', // ten words
  'Stop\n\nSent from my phone, which is old and slow and likes to say where it is',
  'STOP. I have told you people at least four times that I do not want to hear from you again',
];

test.each(stops)('%j asks to stop', (text) => {
  expect(asksToStop(text)).toBe(true);
});

const goOn = [
  '',
  '   ',
  '👍',
  'Yes',
  'START',
  'UNSTOP',
  'see you there',
  "don't stop",
  'Don’t stop!',
  'dont ever stop',
  'do not stop',
  'never stop doing these',
  'I can’t stop laughing',
  'I do not want to unsubscribe',
  "don't want to opt out",
  "please don't unsubscribe me",
  "I'll stop by later",
  'nonstop fun',
  'non-stop fun',
  'when does it end?',
  'What time does the webinar end',
  'I had to quit my job',
  'my appointment got cancelled',
  'can I cancel my other booking and come to this one',
  'stopped at the shop',
  'The weekend works',
  'I really would like you to stop sending me texts today', // one more
  'I was on the train when it came to a full stop between two stations for an hour, so I missed the webinar',
  'Liked “Starts in an hour. Reply STOP to opt out”',
  'Laughed at “Reply STOP\nto end”',
  'Reacted 👍 to “Reply STOP to opt out”',
];

test.each(goOn)('%j does not ask to stop', (text) => {
  expect(asksToStop(text)).toBe(false);
});

test('whatever comes in is judged in no time', measured, () => {
  const began = process.cpuUsage();
  for (const text of [
    'liked “'.repeat(20_000),
    'opt me '.repeat(20_000),
    'stop by '.repeat(20_000),
    "'".repeat(100_000),
  ]) {
    asksToStop(text);
  }
  // Twice as long a text would take four times as long, were it not so: minutes.
  expect(process.cpuUsage(began).user / 1_000).toBeLessThan(1_000);
});
