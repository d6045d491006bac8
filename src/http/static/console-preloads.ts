import { existsSync, readFileSync } from 'node:fs'
import type { Call } from '../route.ts'
import { chooseLanguage } from './accept-language.ts'

/** What Vite says about a source file: the file it became and those that this one imports. */
type Manifest = Readonly<Record<string, { readonly file: string; readonly imports?: readonly string[] }>>

const languages = ['en', 'zh'] as const
const directories: Readonly<Record<string, string>> = { 'sign-in': 'auth', register: 'auth', recover: 'auth' }

/**
 * The `Link` header of the console's page: the scripts that the page asked for will need, and the words in the language
 * of the browser, those of the page alone too. They then load beside the application, not after it has started: one round trip less.
 */
export function createPreloads(manifestFile: URL): (path: string, call: Pick<Call, 'header'>) => string | undefined {
  if (!existsSync(manifestFile)) return () => undefined
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as Manifest
  // These stand in the HTML.
  const atOnce = new Set(filesOf(manifest, 'index.html'))
  return (path, call) => {
    const language = chooseLanguage(call.header('accept-language'), languages)
    const page = pageOf(path)
    const words = [language, page].map((section) => `src/i18n/${language}/${section}.ts`)
    const files = [...words, `src/pages/${directories[page] ?? page}/${page}.tsx`]
      .flatMap((source) => filesOf(manifest, source))
      .filter((file) => !atOnce.has(file))
    const links = [...new Set(files)].map(
      (file) => `</console/${file}>; rel=modulepreload; crossorigin; fetchpriority=low`,
    )
    return links.length > 0 ? links.join(', ') : undefined
  }
}

/** A page lies in a directory of its name; a path that names none gets no preload. */
function pageOf(path: string): string {
  const [first = '', second] = path.split('/').filter(Boolean)
  return first === 'usage' && second ? 'receipt' : first || 'overview'
}

function filesOf(manifest: Manifest, source: string): string[] {
  const entry = Object.hasOwn(manifest, source) ? manifest[source] : undefined
  if (!entry) return []
  return [entry.file, ...(entry.imports ?? []).flatMap((imported) => filesOf(manifest, imported))]
}
