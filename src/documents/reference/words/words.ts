import type { ErrorCode } from '../../../contract/errors.ts'
import type { Access, Operation, Tag } from '../../../contract/operation.ts'
import type { ServiceFacts } from '../../facts.ts'
import type { Section } from '../../guide.ts'
import type { LimitWords } from '../../llms.ts'

/** What the docs page says in one language. English is taken from the contract; other languages translate it. */
export interface Words {
  readonly lang: string
  /** The name of the language in the path of its page. */
  readonly path: string
  readonly page: PageWords
  readonly limits: LimitWords
  readonly access: Readonly<Record<Access, string>>
  readonly tag: (tag: Tag) => { readonly title: string; readonly text: string }
  readonly operation: (operation: Operation) => { readonly summary: string; readonly description: string }
  readonly error: (code: ErrorCode) => { readonly meaning: string; readonly retry: string }
  /** A description of a field, a header or a response. */
  readonly sentence: (text: string) => string
  readonly guide: (options: { operations: readonly Operation[]; origin: string }) => readonly Section[]
  /** Lines of the list of what differs between installations. */
  readonly facts: (facts: ServiceFacts) => readonly string[]
  readonly quickStart: QuickStartWords
}

export interface PageWords {
  readonly title: string
  readonly lead: string
  readonly skip: string
  readonly menu: string
  readonly closeMenu: string
  readonly contents: string
  readonly filter: string
  readonly found: (count: number) => string
  readonly otherLanguage: string
  readonly console: string
  readonly openConsole: string
  readonly baseUrl: string
  readonly version: (version: string) => string
  readonly guideTitle: string
  readonly operationsWithKey: string
  readonly operationsWithSession: string
  readonly credits: (credits: number, yuan: string) => string
  readonly free: string
  readonly scope: string
  readonly deprecated: string
  readonly tryIt: string
  readonly accessTitle: string
  readonly headers: string
  readonly pathParameters: string
  readonly body: string
  readonly noFields: string
  readonly required: string
  readonly optional: string
  readonly or: string
  readonly arrayOf: (type: string) => string
  readonly null: string
  readonly otherwise: string
  readonly childFields: (name: string) => string
  readonly sameAs: string
  readonly response: (status: number) => string
  readonly responseHeaders: string
  readonly errors: string
  readonly errorsLead: string
  readonly ownErrors: string
  readonly commonErrors: string
  readonly status: string
  readonly code: string
  readonly meaning: string
  readonly whatToDo: string
  readonly request: string
  readonly example: string
  readonly sampleLanguage: string
  readonly copy: string
  readonly copied: string
  readonly prices: string
  readonly pricesLead: string
  readonly operation: string
  readonly price: string
  readonly reference: string
  readonly facts: string
  readonly models: string
  readonly modelsLead: (provider: string) => string
  readonly provider: string
  readonly modelNames: string
  readonly longestPrompt: string
  readonly disabled: string
  readonly forPrograms: string
}

export interface QuickStartWords {
  readonly title: string
  readonly lead: string
  readonly steps: readonly [QuickStartStep, QuickStartStep, QuickStartStep, QuickStartStep]
  /** Of the first call, and what a model might say to it. */
  readonly prompt: string
  readonly output: string
}

export interface QuickStartStep {
  readonly title: string
  readonly text: string
}
