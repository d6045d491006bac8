import { sessionCookieName } from '../contract/headers.ts'

export interface SessionCookie {
  /** That of payers by default. */
  readonly name?: string
  readonly value: string
  readonly maxAgeSeconds: number
  readonly isSecure: boolean
}

/** The Set-Cookie header that starts a session, or ends it when given an empty value and a Max-Age of 0. */
export function setSessionCookie({ name = sessionCookieName, value, maxAgeSeconds, isSecure }: SessionCookie): string {
  const attributes = `Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
  return `${name}=${value}; ${attributes}`
}
