import type { AuthorizationRequest } from '../../domain/connections/authorization-request.ts';
import { hostOf, isOnThisComputer } from '../../domain/connections/redirect-uri.ts';
import type { Membership } from '../../domain/members/find-signed-in.ts';
import { permissionsOf, type Permission } from '../../kernel/caller.ts';
import { html, type Html } from '../../catalogue/html.ts';
import { authorizePath } from './next-page.ts';
import { problem, type AccountPage } from './page.ts';
import { permissionWords } from './permission-words.ts';

export interface ConsentView {
  readonly request: AuthorizationRequest;
  /** The request as it came, for the form. */
  readonly asked: URLSearchParams;
  readonly email: string;
  readonly organization: Membership;
  /** Whether the user is in others too. */
  readonly hasOthers: boolean;
  readonly wrong?: string;
}

const plug = 'M5.5 2v3M10.5 2v3M3.5 5h9v2.5a4.5 4.5 0 0 1-9 0zM8 12v2';
const shield = 'M8 1.800 13 4v4c0 3.200-2.200 5.200-5 6.200C5.200 13.200 3 11.200 3 8V4z';

const icon = (path: string): Html =>
  html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d="${path}" /></svg>`;

/** Asks a user whether a tool may act for them: who asks, where the answer goes, in which organization, and what it may. */
export function consentPage(view: ConsentView): AccountPage {
  const { request, asked, organization, wrong } = view;
  const may = permissionsOf[organization.role];
  // What is left for the user to tick comes last.
  const open = request.scopes
    .filter((one) => may.includes(one))
    .toSorted((a, b) => Number(isOff(a)) - Number(isOff(b)));
  const closed = request.scopes.filter((one) => !may.includes(one));
  const name = request.client.name ?? 'A program without a name';
  const reading = new URLSearchParams(asked);
  reading.set('organization_id', organization.org_id);
  reading.set('scope', open.filter((one) => one.endsWith('.read')).join(' '));
  return {
    title: 'Connect a tool',
    middle: true,
    formTo: formSourceOf(request.redirectUri),
    body: html`<section class="card">
      <span class="glyph">${icon(plug)}</span>
      <h1>Let &ldquo;${name}&rdquo; act for you?</h1>
      ${facts(view)} ${problem(wrong)}
      <form method="post" action="${authorizePath}">
        <input type="hidden" name="asked" value="${asked.toString()}" />
        <input type="hidden" name="organization_id" value="${organization.org_id}" />
        <div role="group" aria-labelledby="may">
          <div class="head">
            <h2 id="may">It may</h2>
            ${
              open.some((one) => !one.endsWith('.read')) &&
              html`<a href="${authorizePath}?${reading.toString()}">Reading only</a>`
            }
          </div>
          ${open.map(permissionRow)}
        </div>
        ${closed.length > 0 && html`<p class="hint">Your role there does not include: ${closed.join(', ')}.</p>`}
        <p class="note with-icon">
          ${icon(shield)}<span
            >It can never write to people who opted out. Every change is in the audit log under your name. It
            ends after 90 days, or when you end it.</span
          >
        </p>
        <div class="answers">
          <button class="secondary" name="answer" value="no">Do not connect</button
          ><button class="primary" name="answer" value="yes">Connect</button>
        </div>
      </form>
    </section>`,
    foot: html`Not you? <a href="/account">Sign out</a>, and begin again. The tool is not made or checked by
      Rostrum.`,
  };
}

const isOff = (permission: Permission): boolean => permissionWords[permission].off !== undefined;

const permissionRow = (permission: Permission): Html => {
  const { may, means, off } = permissionWords[permission];
  return html`<div class="permission">
    <input
      type="checkbox"
      id="${permission}"
      name="allow ${permission}"
      value="yes"
      aria-describedby="${permission}-means"
      ${off === undefined && html` checked`}
    />
    <div>
      <label for="${permission}">${may} <span class="key">${permission}</span></label>
      <p class="${off === undefined ? 'hint' : 'hint bad'}" id="${permission}-means">
        ${means}${off !== undefined && html` ${off}`}
      </p>
    </div>
  </div>`;
};

/** A client names itself as it likes; where the answer goes it cannot lie about. */
function facts({
  request: { client, redirectUri },
  asked,
  email,
  organization,
  hasOthers,
}: ConsentView): Html {
  const others = new URLSearchParams(asked);
  others.delete('organization_id');
  return html`<dl class="facts">
    <dt>Sends the answer to</dt>
    <dd>
      <b class="key">${hostOf(redirectUri)}</b>${
        isOnThisComputer(redirectUri) &&
        html`, a program on this computer. Go on only if you began this there just now.`
      }
    </dd>
    <dt>Who it is</dt>
    <dd>
      ${client.host === null ? html`It chose its name itself, and nobody checked it.` : html`Described at <b class="key">${client.host}</b>. The name is its own.`}
    </dd>
    <dt>Works in</dt>
    <dd>
      <b>${organization.name}</b
      >${organization.mode === 'test' && ' (test)'}${hasOthers && html` <a href="${authorizePath}?${others.toString()}">Choose another</a>`}
    </dd>
    <dt>Acts as</dt>
    <dd><b>${email}</b></dd>
  </dl>`;
}

/** Which organization, for somebody who is in several. Each has rights of its own, so it comes before them. */
export const organizationPage = (
  name: string | null,
  asked: URLSearchParams,
  organizations: readonly Membership[],
): AccountPage => ({
  title: 'Connect a tool',
  middle: true,
  body: html`<section class="card">
    <span class="glyph">${icon(plug)}</span>
    <h1>Where may &ldquo;${name ?? 'a program without a name'}&rdquo; work?</h1>
    <p class="prose">It sees one organization only. What it may do there comes next.</p>
    <ul class="list choices">
      ${organizations.map((one) => {
        const chosen = new URLSearchParams(asked);
        chosen.set('organization_id', one.org_id);
        return html`<li>
          <a href="${authorizePath}?${chosen.toString()}"
            ><b>${one.name}</b>
            <span class="hint">${one.mode === 'test' && 'test · '}you are ${one.role}</span></a
          >
        </li>`;
      })}
    </ul>
  </section>`,
});

/** Where the form may lead, for the page's policy: browsers hold redirects against it too. It has no form for IPv6. */
const formSourceOf = (redirectUri: string): string => {
  const { origin, protocol, hostname } = new URL(redirectUri);
  return hostname.startsWith('[') ? protocol : origin;
};
