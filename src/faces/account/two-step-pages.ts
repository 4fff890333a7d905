import type { FastifyInstance } from 'fastify';
import qrcode from 'qrcode-generator';
import { changeRights } from '../../domain/accounts/change-rights.ts';
import { renewRecoveryCodes } from '../../domain/accounts/recovery-codes.ts';
import { spell, totpAddress } from '../../domain/accounts/totp.ts';
import { proposedSecret, proposeSecret, turnOff, turnOn } from '../../domain/accounts/two-steps.ts';
import { enter, formOf, visitorOf, type Door } from './door.ts';
import { html, type Html } from '../../catalogue/html.ts';
import { changeLetter } from './letters.ts';
import { showAccount, signedIn } from './own-account.ts';
import { field, problem, sendPage, type AccountPage } from './page.ts';
import { lackingPassword, lackingProof } from './proof.ts';

/** Codes of an authenticator app: setting up, replacing recovery codes, turning off. */
export function serveTwoSteps(scope: FastifyInstance, door: Door): void {
  const { parts, clock, publicUrl } = door;
  const on = (url: string, operation: string, act: Parameters<typeof signedIn>[1]): void =>
    void scope.post(url, { config: { operation, face: 'account' } }, signedIn(door, act));

  on('/account/two-steps', 'begin_two_steps', async (session, request, reply) => {
    if (session.hasTwoSteps) return reply.redirect('/account', 303);
    const lacks = await lackingPassword(door, session, request, reply);
    if (lacks !== undefined) return showAccount(door, session, reply, { ...lacks, form: 'two_steps' });
    return sendPage(reply, 200, setUpPage(await proposeSecret(parts, session), session.email));
  });

  on('/account/two-steps/confirm', 'turn_on_two_steps', async (session, request, reply) => {
    const code = formOf(request)['code'] ?? '';
    const about = { act: 'two_steps_on', visitor: visitorOf(request) } as const;
    const done = await changeRights(parts, session, about, clock.now(), (db) =>
      turnOn(db, parts.keys, session.userId, code, clock.now()),
    );
    if (done !== undefined) {
      await enter(door, request, reply, { session: done.session, email: session.email });
      door.later(() => door.send(changeLetter(session.email, 'two_steps_on', publicUrl)));
      return sendPage(reply, 200, codesPage(done.changed));
    }
    const secret = await proposedSecret(parts, session);
    if (secret === undefined) return reply.redirect('/account', 303);
    const text = 'The code is not right. Enter the one that the app shows now.';
    return sendPage(reply, 401, setUpPage(secret, session.email, text));
  });

  on('/account/two-steps/codes', 'renew_recovery_codes', async (session, request, reply) => {
    if (!session.hasTwoSteps) return reply.redirect('/account', 303);
    const lacks = await lackingProof(door, session, request, reply);
    if (lacks !== undefined) return showAccount(door, session, reply, { ...lacks, form: 'two_steps' });
    const about = { act: 'recovery_codes_renewed', visitor: visitorOf(request) } as const;
    const done = await changeRights(parts, session, about, clock.now(), (db) =>
      renewRecoveryCodes(db, parts.keys, session.userId),
    );
    if (done === undefined) return reply.redirect('/sign-in', 303);
    await enter(door, request, reply, { session: done.session, email: session.email });
    door.later(() => door.send(changeLetter(session.email, 'recovery_codes', publicUrl)));
    return sendPage(reply, 200, codesPage(done.changed));
  });

  on('/account/two-steps/off', 'turn_off_two_steps', async (session, request, reply) => {
    if (!session.hasTwoSteps) return reply.redirect('/account', 303);
    const lacks = await lackingProof(door, session, request, reply);
    if (lacks !== undefined) return showAccount(door, session, reply, { ...lacks, form: 'two_steps' });
    const about = { act: 'two_steps_off', visitor: visitorOf(request) } as const;
    const done = await changeRights(parts, session, about, clock.now(), (db) => turnOff(db, session.userId));
    if (done === undefined) return reply.redirect('/sign-in', 303);
    await enter(door, request, reply, { session: done.session, email: session.email });
    door.later(() => door.send(changeLetter(session.email, 'two_steps_off', publicUrl)));
    return reply.redirect('/account', 303);
  });
}

const setUpPage = (secret: Buffer, email: string, text?: string): AccountPage => ({
  title: 'Set up an authenticator app',
  body: html`<section class="card">
    <h1>Set up an authenticator app</h1>
    <p class="prose">Scan the picture with the app, or type the key, and enter the code it shows.</p>
    ${picture(totpAddress(secret, email))}
    <p class="prose">Key: <span class="key">${spell(secret).replaceAll(/(.{4})(?=.)/g, '$1 ')}</span></p>
    ${problem(text)}
    <form method="post" action="/account/two-steps/confirm">
      ${field({
        name: 'code',
        label: 'Code',
        type: 'text',
        autocomplete: 'one-time-code',
        numeric: true,
        focus: true,
      })}<button class="primary">Turn the codes on</button>
    </form>
  </section>`,
  foot: html`<a href="/account">Leave the codes off</a>`,
});

const codesPage = (codes: readonly string[]): AccountPage => ({
  title: 'Your recovery codes',
  body: html`<section class="card">
    <h1>Your recovery codes</h1>
    <p class="prose">
      Each lets you in once without the app. Keep them where you keep your passwords: they are not shown
      again.
    </p>
    <ul class="codes">
      ${codes.map((code) => html`<li>${code}</li>`)}
    </ul>
    <p class="prose"><a href="/account">I have kept them</a></p>
  </section>`,
});

/** Drawn into the page itself, dark on white in both themes, because cameras need it so. */
function picture(text: string): Html {
  const code = qrcode(0, 'M');
  code.addData(text);
  code.make();
  const size = code.getModuleCount();
  const places = Array.from({ length: size * size }, (_, at) => [Math.floor(at / size), at % size] as const);
  const dots = places
    .filter(([row, column]) => code.isDark(row, column))
    .map(([row, column]) => `M${column + 4} ${row + 4}h1v1h-1z`)
    .join('');
  return html`<svg
    class="qr"
    role="img"
    aria-label="The key as a picture for the app"
    viewBox="0 0 ${size + 8} ${size + 8}"
    shape-rendering="crispEdges"
  >
    <rect width="100%" height="100%" fill="#fff" />
    <path d="${dots}" fill="#000" />
  </svg>`;
}
