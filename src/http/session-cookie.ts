import { sessionCookieName } from '../contract/headers.ts'

export interface SessionCookie {
  readonly value: string
  readonly maxAgeSeconds: number
  readonly isSecure: boolean
}

/** The Set-Cookie that starts a session in a browser or, with an empty value and no time, ends it. */
export function setSessionCookie({ value, maxAgeSeconds, isSecure }: SessionCookie): string {
  const attributes = `Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
  return `${sessionCookieName}=${value}; ${attributes}`
}
