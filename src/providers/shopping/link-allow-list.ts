export const maxLinkChars = 2048

/**
 * Allows https links whose host and port are exactly those of the list. Checks the link as written, before any parser repairs it:
 * user names, trailing dots, escapes, look-alike letters, backslashes and white space are all refused.
 */
export function createLinkAllowList(hosts: readonly string[]): (link: string) => boolean {
  const allowed = new Set(hosts.flatMap(spellings))
  return (link) => {
    if (link.length > maxLinkChars || !URL.canParse(link)) return false
    const [, authority = ''] = linkShape.exec(link) ?? []
    // A URL parser must see the same host.
    return allowed.has(authority.toLowerCase()) && new URL(link).host === withoutDefaultPort(authority.toLowerCase())
  }
}

/** Scheme, authority, path, query and fragment, with only the characters that RFC 3986 allows in each. */
const linkShape =
  /^https:\/\/([A-Za-z0-9.-]+(?::[0-9]{1,5})?)(?:\/(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/]|%[0-9A-Fa-f]{2})*)?(?:\?(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9A-Fa-f]{2})*)?(?:#(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9A-Fa-f]{2})*)?$/

/** Port 443 may be written or omitted. */
function spellings(host: string): string[] {
  const written = host.toLowerCase()
  if (!/:\d+$/.test(written)) return [written, `${written}:443`]
  return written.endsWith(':443') ? [written, withoutDefaultPort(written)] : [written]
}

const withoutDefaultPort = (authority: string) => authority.replace(/:443$/, '')
