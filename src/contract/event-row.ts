import type { Static, TObject, TProperties } from '../base/schema.ts'

export interface Bilingual<T> {
  readonly en: T
  readonly zh: T
}

/** The lists of types in the console, in their order. */
export const eventGroups = ['money', 'reviews', 'keys', 'account'] as const

/** Everything that is said about a type of events. */
export interface EventRow<P extends TProperties = TProperties> {
  /** Small facts only: no secrets and no personal data. */
  readonly data: P
  readonly example: Static<TObject<P>>
  readonly shown: {
    readonly group: (typeof eventGroups)[number]
    /** The page of the console that says more. `{field}` stands for a value of the data. */
    readonly page: string
    /** Set if the event needs attention. */
    readonly tone?: 'good' | 'wait' | 'bad'
  }
  readonly name: Bilingual<string>
  /** The subject of its alert, if that is not its name. */
  readonly subject?: Bilingual<string>
  /** The console's sentence, or one for each value of a field. `{{field}}` stands for a value of the data. */
  readonly detail:
    | Bilingual<string>
    | { readonly by: keyof P & string; readonly values: Readonly<Record<string, Bilingual<string>>> }
  /** The sentence of an email or SMS, without the full stop: the time follows. */
  readonly alert: (data: Static<TObject<P>>) => Bilingual<string>
}

export const event = <P extends TProperties>(row: EventRow<P>): EventRow<P> => row
