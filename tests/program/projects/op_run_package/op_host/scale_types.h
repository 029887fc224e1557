#pragma once
typedef float ScaleValue;
