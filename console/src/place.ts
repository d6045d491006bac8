const isPreview = location.pathname.startsWith('/gateway/')

/** Where the console and the API are: the local preview keeps both below `/gateway`. */
export const place = {
  console: isPreview ? '/gateway/console' : '/console',
  api: isPreview ? '/gateway/api' : '/v1',
  openapi: isPreview ? '/gateway/openapi.json' : '/openapi.json',
  docs: isPreview ? '/gateway/docs' : '/docs',
} as const

/** The page with the messages that were not really sent; null where real ones would be. */
export const smsInboxUrl: string | null =
  document.querySelector<HTMLMetaElement>('meta[name="gateway-sms-inbox"]')?.content || null
