/** The hosts of a database URL on other machines that are reached without TLS, or without verifying who answers. */
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
