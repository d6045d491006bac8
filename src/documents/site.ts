import { existsSync, readFileSync } from 'node:fs'
import type { Operation } from '../contract/operation.ts'
import { builtDirectory, loadAssets } from '../http/static/built-app.ts'
import { createStaticContent, type StaticContent } from '../http/static/static-content.ts'
import type { ServiceFacts } from './facts.ts'
import type { Language } from './guide.ts'
import type { StatusDocument } from './status.ts'

/** What a page is made from. */
export interface PageOptions {
  readonly operations: readonly Operation[]
  readonly facts: ServiceFacts
  readonly language: Language
  /** Before every path: empty, or /gateway in the local preview. */
  readonly prefix: string
  readonly files: SiteFiles
}

export interface StatusPageOptions extends Omit<PageOptions, 'operations'> {
  readonly status: StatusDocument
}

/** What pages are made of. */
export interface SiteFiles {
  readonly inlined: InlinedFiles
  /** Names of files, each with its hash. */
  readonly homeScript: string
  readonly mark: string
}

/** Their text stands in the pages: the first paint waits for no other response. */
export interface InlinedFiles {
  /** Of every page but the reference, which has more. */
  readonly style: string
  readonly script: string
  readonly referenceStyle: string
  readonly referenceScript: string
}

export type PageName = 'home' | 'pricing' | 'reference' | 'verify' | 'notFound'

/** The module that the build makes of console/site/pages.ts. */
export type SitePages = Readonly<Record<PageName, (options: PageOptions) => string>> & {
  readonly status: (options: StatusPageOptions) => string
}

export interface Site {
  readonly pages: SitePages
  readonly files: SiteFiles
  readonly assets: ReadonlyMap<string, StaticContent>
  /** The packed SDK, which is in no registry. */
  readonly sdk: StaticContent
}

let loaded: Promise<Site> | undefined

/** Loads on first use. Undefined while it is not built. */
export async function loadSite(): Promise<Site | undefined> {
  const directory = builtDirectory('site/')
  if (!loaded && existsSync(new URL('files.json', directory))) loaded = load(directory)
  return loaded
}

async function load(directory: URL): Promise<Site> {
  const { pages } = (await import(new URL('pages.js', directory).href)) as { pages: SitePages }
  return {
    pages,
    files: JSON.parse(readFileSync(new URL('files.json', directory), 'utf8')) as SiteFiles,
    assets: loadAssets(new URL('assets/', directory)),
    sdk: createStaticContent({
      body: readFileSync(new URL('sdk.tgz', directory)),
      contentType: 'application/gzip',
    }),
  }
}
