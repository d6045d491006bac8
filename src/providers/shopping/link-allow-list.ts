export const maxLinkChars = 2048

/**
 * Whether a link may be shown: https, and exactly a host (and port) of the list. It is judged as written, not as some
 * parser repairs it: user names, dots at the end, escapes, look-alike letters, backslashes and white space all fail.
 */
export function createLinkAllowList(hosts: readonly string[]): (link: string) => boolean {
  const allowed = new Set(hosts.flatMap(spellings))
  return (link) => {
    if (link.length > maxLinkChars || !URL.canParse(link)) return false
    const [, authority = ''] = linkShape.exec(link) ?? []
    // The parser must see the same host as the list does.
    return allowed.has(authority.toLowerCase()) && new URL(link).host === withoutDefaultPort(authority.toLowerCase())
  }
}

/** scheme, authority, then path, query and fragment in the letters that RFC 3986 allows there. */
const linkShape =
  /^https:\/\/([A-Za-z0-9.-]+(?::[0-9]{1,5})?)(?:\/(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/]|%[0-9A-Fa-f]{2})*)?(?:\?(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9A-Fa-f]{2})*)?(?:#(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9A-Fa-f]{2})*)?$/

/** 443 may be written out or left out. */
function spellings(host: string): string[] {
  const written = host.toLowerCase()
  if (!/:\d+$/.test(written)) return [written, `${written}:443`]
  return written.endsWith(':443') ? [written, withoutDefaultPort(written)] : [written]
}

const withoutDefaultPort = (authority: string) => authority.replace(/:443$/, '')
