/** What is wrong with a PostgreSQL URL that leaves this machine without TLS, where the network can read passwords and rows. */
export function unprotectedDatabase(databaseUrl: string): string | null {
  const [, hosts, query = ''] = /^postgres(?:ql)?:\/\/(?:[^@/?#]*@)?([^/?#]*)[^?]*(?:\?(.*))?$/s.exec(databaseUrl) ?? []
  // Without a host it is a socket of this machine.
  const remote = (hosts ?? '').split(',').filter((host) => host !== '' && !isLocal(host.replace(/:\d*$|[[\]]/g, '')))
  const mode = new URLSearchParams(query).get('sslmode')
  if (remote.length === 0 || (mode !== null && /^(prefer|require|verify-ca|verify-full)$/.test(mode))) return null
  const fault = mode === 'no-verify' ? 'without knowing whether it is the right one' : 'unencrypted'
  return `the gateway talks to PostgreSQL at ${remote.join(', ')} ${fault}`
}

export const isLocal = (host: string) => host === 'localhost' || host === '::1' || host.startsWith('127.')
