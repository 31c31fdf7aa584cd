// 32 × 32 pixels, two colours: a ship's flag for K, "I wish to communicate with you". In base64.
export const FLAG_PNG =
  'iVBORw0KGgoAAAANSUhEUgAAACAAAAAgAQMAAABJtOi3AAAABlBMVEX1xRgSTpzcgeNEAAAAEElEQVR42mNgYPj/n2HwEgCt/T/BkKJv8AAAAABJRU5ErkJggg=='
