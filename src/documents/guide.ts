import { idempotencyKeyMaxLength, sessionCookieName } from '../contract/headers.ts'
import type { Operation } from '../contract/operation.ts'
import { chargePolicy, creditsPerYuan, recharge, scopes, yuanOfFen, yuanPerCredit } from '../contract/prices.ts'
import { challengeLifetimeSeconds, maxWrongAttempts, resendAfterSeconds } from '../contract/schemas/identity.ts'

export const product = {
  title: 'API Relay Gateway',
  contractVersion: '2026-09-03',
  summary: 'A prepaid API relay: fixed prices, exact books, no call charged twice.',
  introduction:
    'Register with a mainland-China phone number, recharge prepaid credits, create an API key, and call operations at fixed prices. Every billable call is reserved before it is forwarded, and then settled, released or held for review exactly once.',
} as const

export interface Section {
  readonly title: string
  readonly text: string
}

/** How the operations are used together. OpenAPI and llms.txt carry the same text. */
export function guide({ operations, origin }: { operations: readonly Operation[]; origin: string }): Section[] {
  const call = (id: string) => {
    const { method, path } = operations.find((operation) => operation.id === id)!
    return `\`${method} ${path}\``
  }
  return [
    { title: 'Requests and answers', text: requests(origin) },
    { title: 'Registering and signing in', text: signingIn(call) },
    { title: 'Sessions and CSRF', text: sessions(call) },
    { title: 'Credits and recharging', text: recharging(call) },
    { title: 'API keys', text: apiKeys(call) },
    { title: 'What a call costs, and when', text: charging() },
    { title: 'Idempotency and replay', text: replay() },
    { title: 'Uncertain outcomes', text: uncertain() },
    { title: 'Errors and retrying', text: retrying() },
    { title: 'What is simulated', text: simulated() },
  ]
}

type CallText = (id: string) => string

const lines = (...text: string[]) => text.join('\n')

const requests = (origin: string) =>
  lines(
    `- Send every request to \`${origin}\` over HTTP/1.1. Another Host is answered 421 \`HOST_NOT_ALLOWED\`.`,
    '- The path starts with one slash and has no encoded separators. A query string is ignored; never put a secret or personal data into a URL.',
    '- A body is one JSON object in UTF-8 with `Content-Type: application/json` and exactly one `Content-Length`. `Transfer-Encoding` and compressed bodies are refused.',
    '- A field outside the contract is refused with `UNKNOWN_FIELDS`, before any other field is looked at. A missing or wrong field is answered with the code stated for that field, in the order of the contract.',
    '- Lengths of texts are counted in Unicode code points. Money is in fen, credits are whole numbers, times are ISO 8601 with a time zone.',
    '- Every answer carries `X-Request-Id`. The project is always that of the session or the key; it is never taken from a body.',
    '- An unknown path is answered 404 `NOT_FOUND`, a wrong method 405 `METHOD_NOT_ALLOWED` with `Allow`.',
  )

const signingIn = (call: CallText) =>
  lines(
    `1. ${call('auth.send_code')} with the phone. Keep \`challengeId\`; the 6-digit code arrives by SMS and is in no answer. It is valid for ${challengeLifetimeSeconds} seconds, ${maxWrongAttempts} attempts and one use; another can be asked for after ${resendAfterSeconds} seconds and replaces it.`,
    `2. ${call('auth.register')} with phone, code, challengeId, recovery email and password. The account, its personal project and a session are created together or not at all.`,
    `3. Later: ${call('auth.login')} with the phone (or a verified recovery email) and the password. A recovery email is \`pending_verification\` after registering and cannot log in.`,
    '',
    'These three need the `Origin` header and no login. After an uncertain network error in step 2 try step 3 first: the code can be used once.',
  )

const sessions = (call: CallText) =>
  lines(
    `- Registering and logging in set the cookie \`${sessionCookieName}\` (HttpOnly). Send it back with every session operation; without a valid one the answer is 401 \`GATEWAY_AUTH_REQUIRED\`.`,
    `- Writes with a session also need \`Origin\` (exactly the canonical origin, else 403 \`ORIGIN_INVALID\`) and \`X-CSRF-Token\` (else 403 \`CSRF_INVALID\`).`,
    `- The token is \`csrfToken\` of the register or login answer. Each ${call('account.get')} returns a fresh one, which replaces the one before: after \`CSRF_INVALID\` read it again and retry once.`,
    `- Logging in ends the session that was presented. ${call('auth.logout')} ends it on the server and clears the cookie; repeating it may answer 401.`,
  )

const recharging = (call: CallText) =>
  lines(
    `${creditsPerYuan} credits cost 1 yuan; 1 credit is CNY ${yuanPerCredit}. There are no plans and no discounts.`,
    '',
    `1. ${call('orders.create')} with \`amountFen\` (${recharge.minAmountFen} to ${recharge.maxAmountFen}, in steps of ${recharge.stepAmountFen}; CNY ${yuanOfFen(recharge.minAmountFen)} to ${yuanOfFen(recharge.maxAmountFen)}) and an \`Idempotency-Key\`. The order is \`pending\`; its amount, rate and price version are fixed. The same key with the same amount returns the same order with \`idempotentReplay\` true.`,
    `2. ${call('orders.confirm')}. The order becomes \`credited\` and the credits are added exactly once, however often or however many at once confirm it. A credited order answers 409 \`ORDER_NOT_PAYABLE\`.`,
    `3. ${call('account.get')} shows \`credits.available\` and \`credits.reserved\`. After any uncertain result look there first; never pay again.`,
  )

const apiKeys = (call: CallText) =>
  lines(
    `- ${call('keys.create')} with the scopes the key shall have, out of ${scopes.map((scope) => `\`${scope}\``).join(', ')}. The answer shows \`apiKey\` this once; it cannot be read again. Each success makes a new key: if the answer was lost, revoke that key and create another.`,
    '- Send it as `Authorization: Bearer <apiKey>` with every business operation. Missing, wrong or revoked: 401 `UNAUTHORIZED`; expired: 401 `KEY_EXPIRED`; without the scope: 403 `FORBIDDEN`.',
    `- ${call('keys.list')} lists metadata, ${call('keys.revoke')} makes a key useless at once and for good. Keys, orders and items of another project look as if they did not exist.`,
  )

const charging = () =>
  lines(
    ...Object.entries(chargePolicy).map(([rule, text]) => `- ${rule}: ${text}`),
    '',
    'A charge is `reserved`, and then ends as `settled`, `released` or `manual_review`; an operator ends the last as settled or released.',
  )

const replay = () =>
  lines(
    `- Every business operation and the creation of an order need \`Idempotency-Key\`, 1 to ${idempotencyKeyMaxLength} characters. Make one for each intent and keep it until you know the outcome.`,
    '- For a business operation it is bound to the project, the operation and the request. The same key with the same request returns the stored answer, errors included, with `Idempotent-Replayed: true` and no second charge. The order of fields and white space between them make no difference; a field that is left out is not the same as its default.',
    '- The same key with another request or operation: 409 `IDEMPOTENCY_CONFLICT`.',
    '- A second call with the key while the first is under way waits for its result.',
    '- What was refused before anything was forwarded (402, a disabled or busy provider, an unknown item) does not use up the key: send the same intent again when the reason is gone.',
  )

const uncertain = () =>
  lines(
    'When a call was forwarded and nobody can tell what came of it, the answer is HTTP 202 with `status` `manual_review`, the `reservedCredits` and a `chargeId`. The credits stay reserved until an operator decides.',
    '',
    '- Never retry it automatically, and never with a new key: the first call may have been carried out.',
    '- The same key returns the same 202. After the decision it returns the 202 with `resolution` `settled`, or 502 `ADAPTER_FAILURE` when the credits were released.',
  )

const retrying = () =>
  lines(
    '- Every error is `{"error": {"code", "message"}}`. Decide by `code`; `message` is for people and may change.',
    '- 429 carries `Retry-After` in seconds.',
    '- After a network error, a time-out or a 500: repeat with the same `Idempotency-Key` where the operation takes one; otherwise read the state first.',
    '- After 408 on a business operation use a new key. Once something was forwarded its outcome is stored: repeating the key returns the same error, so a new attempt needs a new key.',
  )

const simulated = () =>
  lines(
    'Real SMS delivery, the production identity system, real payment, refund and invoice, and real providers are not part of this service: `productionPayment` is `NOT_RUN`. `paymentMode` says whether simulated payment is on (`local-simulated`) or off (`disabled`: creating and confirming orders answer 404 `SIMULATED_PAYMENT_DISABLED`). `mode` of a result and `testOnly` of an item say whether it came from a local fixture.',
  )
