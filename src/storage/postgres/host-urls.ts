import { StoreUnusable } from '../engine.ts'

/**
 * One URL for each host of a connection URL, as libpq reads it: `postgres://u:p@a:5432,b:5432/gateway`. The gateway always
 * writes, so it accepts only the values of `target_session_attrs` with which a writable host is found.
 */
export function hostUrls(url: string): string[] {
  // Up to the last @, because passwords may contain one.
  const parts = /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^@/?#]*)(.*)$/s.exec(url)
  if (!parts) throw invalid('is not a PostgreSQL URL')
  const [, scheme, login = '', hosts, rest] = parts
  if (/^[^?#]*@/.test(rest!) || (login === '' && rest!.includes('@'))) {
    throw invalid('has a user or password with an unencoded /, ? or #, which must be written %2F, %3F or %23')
  }
  return hosts!.split(',').map((host, index) => {
    const text = `${scheme}${login}${host}${rest}`
    if (!URL.canParse(text)) throw invalid(`host ${index + 1} is not valid`)
    const parsed = new URL(text)
    if (hosts!.includes(',') && parsed.hostname === '') throw invalid('has an empty host')
    const target = parsed.searchParams.get('target_session_attrs')
    if (target !== null && !writableTargets.has(target)) {
      throw invalid(`target_session_attrs=${target} does not find a writable server`)
    }
    // The driver does not know it.
    parsed.searchParams.delete('target_session_attrs')
    return target === null ? text : parsed.href
  })
}

const writableTargets = new Set(['any', 'read-write', 'primary'])

/** Without the URL itself, which may hold a password. */
const invalid = (fault: string) =>
  new StoreUnusable(
    `DATABASE_URL: ${fault}. Use postgres://user:password@host:5432/database, or several hosts separated by commas, with target_session_attrs=read-write.`,
  )
