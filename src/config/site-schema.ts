import { Type } from '../base/schema.ts'
import { section } from './provider-schema.ts'

/** Without control characters, line separators and characters that change the direction of text. */
const line = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: plainLine, description })

const plainLine = '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069]*$'

const pageUrl = (description: string) => Type.String({ maxLength: 500, format: 'page-url', description })

const filing = Type.Object(
  {
    model: line(60, 'The model, as callers know it.'),
    number: line(60, 'Its filing or registration number.'),
  },
  { additionalProperties: false },
)

/** Who runs the site. What is left out is not shown. */
export const siteSection = section(
  {
    name: Type.Optional(line(60, 'Name of the company or person that runs the service.')),
    contact: Type.Optional(
      line(120, 'How customers reach you: an email address, an http(s) address or any other text.'),
    ),
    termsUrl: Type.Optional(pageUrl('Address of your terms of service.')),
    privacyUrl: Type.Optional(pageUrl('Address of your privacy policy.')),
    icp: Type.Optional(line(60, 'ICP filing number, linked to the register at beian.miit.gov.cn.')),
    filings: Type.Array(filing, {
      maxItems: 20,
      default: [],
      description: 'Filing numbers of generative models that you offer.',
    }),
  },
  'The footer of the public pages. What is left out is not shown.',
)

/** An http(s) address that people open; credentials do not belong on a public page. */
export function isPageUrl(text: string): boolean {
  const url = URL.canParse(text) && /^[\x21-\x7e]+$/.test(text) ? new URL(text) : undefined
  return url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
}
