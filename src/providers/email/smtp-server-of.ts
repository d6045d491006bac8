export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** TLS from the first byte. */
  readonly secure: boolean
  /** Refuse a server that offers no STARTTLS. */
  readonly requireTLS: boolean
  readonly auth: { readonly user: string; readonly pass: string } | undefined
}

/**
 * The server that `smtps://user:password@host:465` or `smtp://user:password@host:587` names; undefined if it is neither. Only
 * a server on this machine may do without TLS.
 */
export function smtpServerOf(text: string): SmtpServer | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '' || !/^\/?$/.test(url.pathname)) return undefined
  if (url.search || url.hash) return undefined
  const secure = url.protocol === 'smtps:'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  try {
    return {
      host,
      port: Number(url.port) || (secure ? 465 : 587),
      secure,
      requireTLS: !secure && !/^(localhost|::1|127(\.\d{1,3}){3})$/.test(host),
      auth: url.username
        ? { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) }
        : undefined,
    }
  } catch {
    // A malformed escape in the password.
    return undefined
  }
}
