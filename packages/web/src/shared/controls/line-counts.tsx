// Added and removed lines: `+18 −7`.

type LineCountsProps = { readonly added?: number; readonly removed?: number }

export function LineCounts({ added = 0, removed = 0 }: LineCountsProps) {
  return (
    <span className="counts">
      {added > 0 && <span className="plus">+{added}</span>}
      {removed > 0 && <span className="minus">−{removed}</span>}
    </span>
  )
}
