// Paints a BlurHash (https://blurha.sh) to a small canvas, which the stylesheet stretches.

const DIGITS = new Map([..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~"].map((d, i) => [d, i]));
const number = text => { let value = 0; for (const digit of text) value = value * 83 + (DIGITS.get(digit) ?? 0); return value; };
const linear = value => { const v = value / 255; return v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; };
// Light as a byte, by a table: the formula for each pixel takes half of the time.
const BYTES = Uint8Array.from({ length: 1025 }, (_, i) => { const v = i / 1024; return Math.round((v <= .0031308 ? v * 12.92 : 1.055 * v ** (1 / 2.4) - .055) * 255); });
const byte = value => BYTES[Math.min(Math.max(value * 1024, 0), 1024) | 0];
const signedSquare = value => Math.sign(value) * value * value;

/** A canvas with the hash; null if the text is none. */
export function paint(hash, ratio) {
  if (!hash || hash.length < 6) return null;
  const size = number(hash[0]);
  const [across, down] = [size % 9 + 1, Math.floor(size / 9) + 1];
  if (hash.length !== 4 + 2 * across * down) return null;
  const strength = (number(hash[1]) + 1) / 166;
  const colors = Array.from({ length: across * down }, (_, index) => {
    if (index === 0) { const value = number(hash.slice(2, 6)); return [linear(value >> 16), linear(value >> 8 & 255), linear(value & 255)]; }
    const value = number(hash.slice(4 + index * 2, 6 + index * 2));
    return [Math.floor(value / 361), Math.floor(value / 19) % 19, value % 19].map(part => signedSquare((part - 9) / 9) * strength);
  });
  const width = ratio >= 1 ? 24 : Math.max(Math.round(24 * ratio), 6), height = ratio >= 1 ? Math.max(Math.round(24 / ratio), 6) : 24;
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width, height];
  const context = canvas.getContext("2d");
  if (!context) return null;
  const image = context.createImageData(width, height);
  const cosines = Array.from({ length: across }, (_, i) => Float32Array.from({ length: width }, (_, x) => Math.cos(Math.PI * i * x / width)));
  for (let y = 0, place = 0; y < height; y++) {
    const rows = Array.from({ length: down }, (_, j) => Math.cos(Math.PI * j * y / height));
    for (let x = 0; x < width; x++, place += 4) {
      let [red, green, blue] = [0, 0, 0];
      for (let j = 0; j < down; j++) for (let i = 0; i < across; i++) {
        const weight = cosines[i][x] * rows[j], color = colors[j * across + i];
        red += color[0] * weight; green += color[1] * weight; blue += color[2] * weight;
      }
      image.data[place] = byte(red); image.data[place + 1] = byte(green); image.data[place + 2] = byte(blue); image.data[place + 3] = 255;
    }
  }
  context.putImageData(image, 0, 0);
  return canvas;
}
