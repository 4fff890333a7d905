import type { FastifyReply, FastifyRequest } from 'fastify';
import { failedAttempts } from '../../../domain/orgs/failed-attempts.ts';
import { formToken, judgeToken } from '../../../domain/registration-pages/form-token.ts';
import type { PublicPage } from '../../../domain/registration-pages/public-page.ts';
import { readAnswers, type Answers } from '../../../domain/registration-pages/read-answers.ts';
import { callerOfPage, registerByPage } from '../../../domain/registration-pages/register-by-page.ts';
import { Failure } from '../../../kernel/failure.ts';
import { answerInSteps } from './answer-in-steps.ts';
import { formLine } from './form-line.ts';
import { formPage, tokenName, trapName, type FormState } from './form-page.ts';
import { sendFramed, type Shown } from './frame.ts';
import type { PostedForm } from './read-form.ts';
import type { RegistrationParts } from './registration-parts.ts';

/** In a minute and at each process. Offices and schools come from one address; a page may be announced to many at once. */
const postsOfAddress = 30;
const registrationsOfPage = 15_000;

/** Where a form that was not taken leads: it comes back as it was typed, with why and what to do. */
interface Refusal extends Pick<FormState, 'notice' | 'showsTrap'> {
  readonly status: number;
  readonly wrong?: FormState['wrong'];
  readonly waitSeconds?: number;
}

type Handler = (
  request: FastifyRequest,
  reply: FastifyReply,
  page: PublicPage,
  shown: Shown,
) => Promise<FastifyReply>;

const again = 'Please look through it and press Register again.';
const noForm: PostedForm = { typed: new Map(), repeated: new Set(), isGarbled: false, bytes: 0 };

export function formPages(parts: RegistrationParts): { showForm: Handler; takeForm: Handler } {
  const { keys, clock } = parts;
  const ofAddress = failedAttempts(postsOfAddress);
  const ofPage = failedAttempts(registrationsOfPage);
  const enterLine = formLine(parts.onShed);

  const sendForm = (
    reply: FastifyReply,
    page: PublicPage,
    shown: Shown,
    status: number,
    state: Omit<FormState, 'token'>,
  ): FastifyReply => {
    const token = formToken(keys, page.slug, clock.now());
    const body = formPage(page, shown, { ...state, token });
    return sendFramed(reply, status, page, shown, page.event.title, body);
  };

  /** Judges by what costs nothing first: the address, the form itself, its token. None of it asks the database. */
  function judge(
    request: FastifyRequest,
    page: PublicPage,
    form: PostedForm | undefined,
  ): Refusal | undefined {
    const now = clock.now();
    const waitSeconds = ofAddress.waitOf(request.ip, now);
    ofAddress.add(request.ip, now);
    if (waitSeconds > 0)
      return {
        status: 429,
        notice: `Many came from your network just now. Wait a minute. ${again}`,
        waitSeconds,
      };
    if (form === undefined) return { status: 415, notice: 'Please fill in this form.' };
    const { typed, repeated, isGarbled } = form;
    if (isGarbled) return { status: 400, notice: `Some signs did not arrive as text. ${again}` };
    if (repeated.size > 0) return { status: 400, notice: `Something arrived twice. ${again}` };
    if ((typed.get(trapName) ?? '') !== '')
      return { status: 422, notice: `One field must stay empty. Empty it below. ${again}`, showsTrap: true };
    const verdict = judgeToken(keys, page.slug, typed.get(tokenName) ?? '', now);
    return verdict === 'good' ? undefined : { status: 422, notice: reasonOf[verdict] };
  }

  async function register(
    request: FastifyRequest,
    reply: FastifyReply,
    page: PublicPage,
    { typed, bytes }: PostedForm,
    { user, consent }: Answers,
  ): Promise<Refusal | undefined> {
    const now = clock.now();
    const waitSeconds = ofPage.waitOf(page.slug, now);
    if (waitSeconds > 0) return { ...busy, waitSeconds };
    ofPage.add(page.slug, now);
    const caller = callerOfPage(page, { requestId: request.id, address: request.ip, now });
    const input = { webinar_id: page.webinarId, user, consent };
    try {
      const leaveLine = await enterLine(page.org, bytes, goneSignal(reply));
      try {
        const free = await parts.takeForForm(page.org);
        try {
          await parts.perform(registerByPage, caller, input, typed.get(tokenName)!);
        } finally {
          free();
        }
      } finally {
        leaveLine();
      }
      return undefined;
    } catch (error) {
      if (error instanceof Failure) return refusalOf(error);
      throw error;
    }
  }

  return {
    showForm: async (_request, reply, page, shown) =>
      sendForm(reply, page, shown, 200, { typed: new Map(), wrong: new Map() }),
    takeForm: async (request, reply, page, shown) => {
      const form = request.body as PostedForm | undefined;
      const { typed } = form ?? noForm;
      let refusal = judge(request, page, form);
      if (refusal === undefined) {
        const answers = readAnswers(page, typed);
        refusal =
          answers.wrong.size > 0
            ? { status: 422, wrong: answers.wrong }
            : await answerInSteps(() => register(request, reply, page, form!, answers));
      }
      if (refusal === undefined)
        return reply.redirect(`/w/${page.slug}${shown === 'embed' ? '/embed' : ''}/registered`, 303);
      const { status, waitSeconds, wrong = new Map<string, string>(), notice, showsTrap = false } = refusal;
      if (waitSeconds !== undefined) reply.header('Retry-After', String(waitSeconds));
      return sendForm(reply, page, shown, status, { typed, wrong, notice, showsTrap });
    },
  };
}

const reasonOf = {
  foreign: `This form was not opened here, or its address has changed. ${again}`,
  too_early: `That was very quick. ${again}`,
  too_old: `The form lay open for long. ${again}`,
} as const;

const busy: Refusal = { status: 503, notice: `Very many register just now. Wait a moment. ${again}` };

/** Whoever hangs up need not be registered: they have not heard that they are, and the same form may come again. */
function goneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  return gone.signal;
}

/** None of these depends on who is registered. */
function refusalOf({ code, kind, extras }: Failure): Refusal {
  if (code === 'invalid_request') {
    const wrong = new Map((extras.errors ?? []).map(({ pointer, detail }) => [nameOf(pointer), detail]));
    return { status: 422, wrong };
  }
  if (kind === 'rate_limited' || kind === 'unavailable')
    return { ...busy, waitSeconds: extras.retryAfterSeconds ?? 2 };
  // The token was used for something else, or the same form is on its way twice, or the webinar has just changed.
  return { status: 409, notice: `This form was sent before, or the webinar has just changed. ${again}` };
}

/** `/user/email` is the input email, `/user/properties/seats` the input property.seats. */
const nameOf = (pointer: string): string =>
  pointer.replace(/^\/user\/properties\//, 'property.').replace(/^\/user\//, '');
