/** The hosts of a database URL on other machines that are reached without TLS, or without verifying the server. */
export function unsafeDatabaseHosts(databaseUrl: string | undefined): { hosts: string[]; isEncrypted: boolean } | null {
  const [, names = '', query = ''] =
    /^postgres(?:ql)?:\/\/(?:[^@/?#]*@)?([^/?#]*)[^?]*(?:\?(.*))?$/s.exec(databaseUrl ?? '') ?? []
  const mode = new URLSearchParams(query).get('sslmode')
  if (mode !== null && /^(prefer|require|verify-ca|verify-full)$/.test(mode)) return null
  // Without a host it is a socket of this machine.
  const hosts = names.split(',').filter((host) => host !== '' && !isThisMachine.test(host))
  return hosts.length === 0 ? null : { hosts, isEncrypted: mode === 'no-verify' }
}

const isThisMachine = /^(localhost|\[::1\]|127\.[\d.]+)(:\d*)?$/

/**
 * A URL as it may be shown: its scheme, hosts and path. User, password and query are left out, because libpq and others also
 * read passwords from the query. Anything that is not clearly such a URL is only said to be set.
 */
export function maskUrl(url: string): string {
  // A path, without credentials.
  if (url.startsWith('sqlite:')) return url
  const [, scheme, authority, path, rest] = /^([a-z][a-z\d+.-]*:\/\/)([^/?#]*)([^?#]*)(.*)$/is.exec(url) ?? []
  // An @ past the authority means that the password has an unencoded slash, question mark or hash.
  if (authority === undefined || `${path}${rest}`.includes('@')) return 'set'
  // Several hosts, as libpq reads them.
  const hosts = authority.slice(authority.lastIndexOf('@') + 1)
  return hosts.split(',').every((host) => hostPattern.test(host)) && pathPattern.test(path!)
    ? `${scheme}${hosts}${path}`
    : 'set'
}

const hostPattern = /^(\[[\da-f:.]+\]|[\w.%-]*)(:\d{1,5})?$/i
const pathPattern = /^[\w./~%-]*$/
