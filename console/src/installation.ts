const isPreview = location.pathname.startsWith('/gateway/')

/** The paths of the console and the API; the local preview serves both below `/gateway`. */
export const paths = {
  console: isPreview ? '/gateway/console' : '/console',
  api: isPreview ? '/gateway/api' : '/v1',
  openapi: isPreview ? '/gateway/openapi.json' : '/openapi.json',
  docs: isPreview ? '/gateway/docs' : '/docs',
} as const

/** Credits for each second of a video, as this installation has configured them. */
export const mediaCreditsPerSecond: number = Number(
  document.querySelector<HTMLMetaElement>('meta[name="gateway-media-price"]')?.content || 0,
)

/** The inbox of simulated messages; null if messages are really sent. */
export const smsInboxUrl: string | null =
  document.querySelector<HTMLMetaElement>('meta[name="gateway-sms-inbox"]')?.content || null
