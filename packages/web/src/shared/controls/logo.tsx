// Quayside's logo in the colours of the theme.
export function Logo({ size = 'small' }: { size?: 'small' | 'large' }) {
  return (
    <svg className={`logo ${size}`} viewBox="0 0 32 32" aria-hidden="true">
      <rect className="logo-ground" width="32" height="32" rx="9" />
      <circle cx="16" cy="14" r="6.25" />
      <path d="M18.5 17l4 4.5M7 25h18" />
    </svg>
  )
}
