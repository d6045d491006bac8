import type { ComponentProps } from 'react'
import styles from './row-button.module.css'

/** A small button in the row of a table. A plain element: a table has dozens, and each of the library's costs the first paint. */
export const RowButton = (props: Omit<ComponentProps<'button'>, 'className' | 'type'>) => (
  <button type="button" className={styles.button} {...props} />
)
