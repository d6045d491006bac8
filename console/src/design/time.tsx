import { useFormat } from '../format/format.ts'
import styles from './time.module.css'

/** A moment to the second; the year only where it is another one than this. */
export function Time({ at }: { at: string }) {
  const format = useFormat()
  return (
    <time className={styles.time} dateTime={at} title={format.exactTime(at)}>
      {format.shortTime(at)}
    </time>
  )
}
