import { useEffect, useState } from 'react'
import styles from './qr-code.module.css'

/** A QR code. Show its content as text too: the library may fail to load, and not everyone can scan it. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const rows = useRows(text)
  if (!rows) return <div className={styles.code} />
  return (
    <svg
      className={styles.code}
      role="img"
      aria-label={label}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      shapeRendering="crispEdges"
    >
      <path d={rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')} />
    </svg>
  )
}

/** The quiet zone that the standard requires. */
const border = 4

function useRows(text: string): boolean[][] | null {
  const [rows, setRows] = useState<boolean[][] | null>(null)
  useEffect(() => {
    let isShown = true
    import('uqr').then(
      ({ encode }) => isShown && setRows(encode(text, { ecc: 'M', border }).data),
      () => {},
    )
    return () => {
      isShown = false
    }
  }, [text])
  return rows
}
