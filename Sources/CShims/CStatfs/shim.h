#pragma once
#include <sys/vfs.h>
