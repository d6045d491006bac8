import { readFileSync } from 'node:fs'

/** The paths of all pages in a registry, such as `/usage/:chargeId`: the text is read, because its modules need a browser. */
function registered(file: string): string[] {
  const source = readFileSync(new URL(`../../console/src/${file}`, import.meta.url), 'utf8')
  return [...source.matchAll(/\bpath: '(\/[^']*)'/g)].map(([, path]) => path!)
}

const guests = ['/sign-in', '/register', '/recover']
const members = registered('pages/pages.ts').filter((path) => !guests.includes(path))
export const operatorPages = registered('operator/pages/pages.ts')

/** Those up to this one, and those from it on: too many for one file. */
const halves = (paths: readonly string[], second: string) => {
  const at = paths.indexOf(second)
  if (at < 0) throw new Error(`${second} is not registered`)
  return [paths.slice(0, at), paths.slice(at)] as const
}

export const [moneyPages, otherPages] = halves(members, '/keys')
export const [peoplePages, accountingPages] = halves(operatorPages, '/audit')
export const guestPages = guests
