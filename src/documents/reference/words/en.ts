import { errors } from '../../../contract/errors.ts'
import { tags } from '../../../contract/operation.ts'
import { guide, product } from '../../guide.ts'
import { englishLimits, limitLines } from '../../llms.ts'
import type { PageWords, QuickStartWords, Words } from './words.ts'

const page: PageWords = {
  title: 'API reference',
  lead: product.introduction,
  skip: 'Skip to the content',
  menu: 'Contents',
  closeMenu: 'Close',
  contents: 'Contents',
  filter: 'Filter by name, path or field',
  found: (count) => (count === 1 ? '1 match' : `${count} matches`),
  otherLanguage: '中文',
  console: 'Console',
  openConsole: 'Open the console',
  baseUrl: 'Base URL',
  version: (version) => `Contract ${version}`,
  guideTitle: 'Guide',
  operationsWithKey: 'Operations with an API key',
  operationsWithSession: 'Account operations',
  credits: (credits, yuan) => `${credits} ${credits === 1 ? 'credit' : 'credits'} (¥${yuan})`,
  free: 'Free',
  scope: 'Scope',
  deprecated: 'Deprecated',
  tryIt: 'Try it in the console',
  accessTitle: 'Access',
  headers: 'Headers',
  pathParameters: 'Path parameters',
  body: 'Request body',
  noFields: 'An empty object, {}.',
  required: 'required',
  optional: 'optional',
  or: 'or',
  arrayOf: (type) => `array of ${type}`,
  null: 'null',
  otherwise: 'If wrong:',
  childFields: (name) => `Fields of ${name}`,
  sameAs: 'Same as in',
  response: (status) => `Response ${status}`,
  responseHeaders: 'Headers:',
  errors: 'Errors',
  errorsLead:
    'Every error has the shape `{"error": {"code", "message"}}`. Decide by `code`; `message` is for people and may change.',
  ownErrors: 'Errors',
  commonErrors: 'Errors that many operations share',
  status: 'Status',
  code: 'Code',
  meaning: 'Meaning',
  whatToDo: 'What to do',
  request: 'Request',
  example: 'Example',
  sampleLanguage: 'Language of the samples',
  copy: 'Copy',
  copied: 'Copied',
  prices: 'Prices',
  pricesLead: 'Prices are fixed. A call that fails for certain is not charged.',
  operation: 'Operation',
  price: 'Price',
  reference: 'Reference',
  facts: 'Limits',
  models: 'Models',
  modelsLead: (provider) =>
    `A call that names no provider goes to \`${provider}\`. The first model of a provider is its default.`,
  provider: 'Provider',
  modelNames: 'Models',
  longestPrompt: 'Longest prompt (characters)',
  disabled: 'disabled',
  forPrograms: 'For programs and AI assistants',
}

const quickStart: QuickStartWords = {
  title: 'Quick start',
  lead: 'From nothing to your first call in four steps.',
  prompt: 'Describe Hangzhou in one sentence.',
  output: 'Hangzhou is a city famous for its West Lake.',
  steps: [
    {
      title: 'Create an account and add credits',
      text: 'Open the console, register with your phone number and add credits. ¥1 buys 10 credits; a model call costs 3.',
    },
    {
      title: 'Create an API key',
      text: 'In the console, open API keys and create one. The key is shown once: copy it into your shell.',
    },
    {
      title: 'Make a call',
      text: 'Send the key as a bearer token, and a new `Idempotency-Key` for each call you mean to make. If the network fails, send the same request with the same key again: you are charged once.',
    },
    {
      title: 'Read the response',
      text: '`status` is `settled`: the call succeeded and cost `chargedCredits`. A confirmed failure costs nothing. `202` with `manual_review` means we couldn’t confirm the result; do not retry it with a new key.',
    },
  ],
}

/** English is the language of the contract, so most of it is the contract itself. */
export const en: Words = {
  lang: 'en',
  path: 'en',
  page,
  limits: { ...englishLimits, between: (least, most, unit) => `${least} to ${most} ${unit}`.trim() },
  access: {
    public: 'No sign-in needed.',
    origin: 'No sign-in needed. `Origin` must be the canonical origin.',
    session: 'Session cookie.',
    'session-write': 'Session cookie, `Origin` and `X-CSRF-Token`.',
    key: '`Authorization: Bearer <apiKey>`',
  },
  tag: (tag) => ({ title: tag, text: tags[tag] }),
  operation: ({ summary, description = '' }) => ({ summary, description }),
  error: (code) => errors[code],
  sentence: (text) => text,
  guide,
  facts: (facts) => limitLines(facts),
  quickStart,
}
